import { Link } from '@tanstack/react-router'
import logo from '/logo.svg'

export function Brand() {
  return (
    <Link to="/console" className="brand">
      <img src={logo} alt="" width="26" height="26" />
      Causeway
    </Link>
  )
}
