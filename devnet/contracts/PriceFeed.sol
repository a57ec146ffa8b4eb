// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// A USD price in the form of Chainlink's aggregators. An answer set with time zero always has the
/// block's time.
contract PriceFeed {
    event AnswerUpdated(int256 indexed current, uint256 indexed roundId, uint256 updatedAt);

    uint8 public constant decimals = 8;
    string public description;
    address public immutable owner;
    uint80 private round;
    int256 private answer;
    uint256 private answeredAt;

    constructor(string memory description_, int256 answer_, address owner_) {
        description = description_;
        owner = owner_;
        _set(answer_, 0);
    }

    function setRound(int256 answer_, uint256 answeredAt_) external {
        require(msg.sender == owner, "only the owner");
        _set(answer_, answeredAt_);
    }

    function _set(int256 answer_, uint256 answeredAt_) private {
        answer = answer_;
        answeredAt = answeredAt_;
        ++round;
        emit AnswerUpdated(answer_, round, answeredAt_);
    }

    function latestRoundData()
        external
        view
        returns (
            uint80 roundId,
            int256 current,
            uint256 startedAt,
            uint256 updatedAt,
            uint80 answeredInRound
        )
    {
        updatedAt = answeredAt == 0 ? block.timestamp : answeredAt;
        return (round, answer, updatedAt, updatedAt, round);
    }
}
